"""Further questions about people and things of the demo graph, written before any score was seen.

Every second one chooses the bounds of `tests.bench.fits` (`chosen_by`), the others only report
what they cost (`reported`): neither recall nor a word list was changed after reading those.
"""

from collections.abc import Sequence

FRESH_KNOWN = (
    "Who rings at the bank in December while Henrik is off?",
    "How long may a feature flag live?",
    "What happens to a payment file without content?",
    "At what hour does the settlement begin these days?",
    "How many ferry companies do we do the books for?",
    "Which member of the team cannot see the difference between red and green?",
    "When is Marek not to be disturbed?",
    "What size of pot does the fig need?",
    "How much does Petra charge for an hour?",
    "Where did the new NAS come from?",
    "Which day does the next Low Tide go out?",
    "Who draws incident timelines?",
    "What do the servers of the Pi cluster take their names from?",
    "Who may wake me up at night through Grafana?",
    "How long does the migration to the new laptop take with the dotfiles?",
    "What is Aiko's way of starting a design?",
    "What kind of questions does Lena ask?",
    "What did Ines do before she came to the co-operative?",
    "Which shop replaces the UPS blocks?",
    "How warm is it kept in the study?",
    "Which letters had to be corrected after the restore in February?",
    "How many words has the essay now?",
    "How often may claude-code push?",
    "What went wrong with the watering in June?",
    "Where do the lemon and the fig spend the winter?",
    "Which tune was played at the recital?",
    "What does Tomas do on the train?",
    "Which fish dish will there be at the dinner?",
    "How many people came to hear us play?",
    "What does Dr. Osei enclose with her replies?",
    "Which rows are kept for two years before they are detached?",
    "Why was the mobile app dropped?",
    "How fast is the balance call?",
    "What is done with a posting that is wrong?",
    "Which formatter took the place of black?",
    "What is the prefix key of tmux?",
    "How big is the tank on the roof?",
    "What does the house allow on the balcony per square metre?",
    "Which language are bank phone calls held in?",
    "How many cards does Robin learn on the tram?",
)

FRESH_ABSENT = (
    "What is Marek's surname?",
    "How heavy is Robin?",
    "Which instrument does Tomas play?",
    "Where does Aiko live?",
    "What is the address of Yusuf's parents?",
    "Who is Ines's husband?",
    "How long is Ines's boat?",
    "Which subject did Lena study?",
    "When was Henrik hired by the bank?",
    "What is the price of the invoice API?",
    "How far is it from the garage to the flat?",
    "What was Petra's first concert?",
    "Which camera photographs the drawings of Low Tide?",
    "Who designed the logo of Harbor Ledger?",
    "How much tax did the co-operative pay?",
    "What does Signe earn?",
    "Which aunt gave Robin the cabin?",
    "How loud is the NAS in decibels?",
    "Which glasses does Dr. Osei wear?",
    "Where was Hania born?",
    "What is the name of Yusuf's dog?",
    "How many passengers does a ferry carry?",
    "Which restaurant does Marek recommend?",
    "When did Tomas quit smoking?",
    "What is Solveig's surname?",
    "Which court handles the dispute with the bank?",
    "Who sold the garage to Robin?",
    "How many rooms does Uncle Otto's cabin have?",
    "What is the wifi name at the cabin?",
    "Which airport is closest to Ostvik?",
    "What is the blood pressure of Robin?",
    "Which political party does Ines vote for?",
    "How deep is the harbour at Ostvik?",
    "Who delivers the printer's toner?",
    "Which vaccine did Yusuf's children get?",
    "What grade did Lena get in mathematics?",
    "Where was the January outage?",
    "Which lawyer wrote the bank contract?",
    "How old was Petra when she began to play?",
    "What is the telephone number of the library?",
)

# Written later, and only counted.
LATER_KNOWN = (
    "What time is the stand-up?",
    "Who maintains the settlement job?",
    "Which language is the ledger written in?",
    "Where is the garage key?",
    "How many plugins are left in Neovim?",
    "How often do we hold a retro?",
    "What was the essay called at first?",
    "Why is the box called atoll?",
    "When does the quarterly close?",
    "What temperature is it in the study?",
    "Can I play the bass at nine in the evening?",
    "How do we roll back a release?",
    "How many migrations are there?",
    "Who is Petra?",
    "Where did the name Harbor Ledger come from?",
    "Whats the rate limit of the invioce API",
    "When did Lena join?",
    "When had all operators been paid after the outage?",
    "Which terminal does Robin use?",
    "What is Marek's daughter called?",
)

LATER_ABSENT = (
    "What is Henrik's shoe size?",
    "Where did Ines study?",
    "Which account number does Harbor Ledger have?",
    "Who is Tomas's manager?",
    "What is the name of Yusuf's cat?",
    "What does the printer cost per page?",
    "When was Grafana uninstalled?",
    "Which university does Dr. Osei teach at?",
    "How tall is the fig?",
    "Who sued Harbor Ledger?",
    "What is Lena's favourite film?",
    "How much does Marek weigh?",
    "Which gym does Robin go to?",
    "What is the price of the Low Tide letter?",
    "When is Aiko's birthday?",
    "Where was the December audit?",
    "Which allergy does Petra have?",
    "How many stars does the dotfiles repository have?",
    "What is the serial number of the UPS?",
    "Which religion does Tomas practise?",
)


def chosen_by(questions: Sequence[str]) -> Sequence[str]:
    """The half by which bounds are chosen."""
    return questions[::2]


def reported(questions: Sequence[str]) -> Sequence[str]:
    """The other half."""
    return questions[1::2]
