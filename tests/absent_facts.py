"""Questions about people and things of the demo graph, with and without their answer in it.

Each names somebody or something that the graph knows well; whether it knows the fact that is asked
for is another matter. Recall must tell the two apart (`tests/explorer/test_nothing_fits.py`).
"""

KNOWN = (
    "How many children has Yusuf?", "What does Marek bring when a release went well?",
    "How does Marek get to work?", "Where does Petra teach in summer?", "What does Signe not eat?",
    "Which voice does Aiko sing?", "When does Lena climb?",
    "Which train does Lena take to the office?", "What does Dr. Osei grow?",
    "What did Dr. Osei collect for thirty years?", "Which language does Henrik prefer?",
    "What does Ines draw incidents in?", "When may I call Ines?", "How much does a lesson cost?",
    "How many cups of coffee does Robin drink?", "How is Robin's wrist?",
    "Where does Tomas work on Mondays?", "What is the name of Marek's daughter?",
    "How much memory does the NAS have?", "How long does the clean Kotlin build take?",
    "What does Yusuf insist on?", "Who stands in for Henrik?", "What did Signe bring?",
    "What did Ines build before?", "Where did I meet Dr. Osei?", "Who owns the schema document?",
    "When did Lena pass probation?", "Who plays the drums at the recital?",
    "How many kilometres does Marek cycle?", "What is the rule about Tomas and new night jobs?",
    "When was the double bass built?", "What weight may the balcony carry?",
    "How many subscribers does Low Tide have?", "What makes the printer jam?",
    "What is Robin's job title?", "Where are the keys of the garage?",
    "Who proofreads the letter?", "How old is the clerk's routine of reading the report?",
)

# The last two are another agent's to tell.
ABSENT = (
    "What is Robin's blood type?", "What is Marek's wife called?", "What is Petra's surname?",
    "How old is Tomas?", "What is Lena's phone number?", "Which car does Ines drive?",
    "Where did Yusuf go to school?", "What is Henrik's e-mail address?",
    "What is Aiko's favourite food?", "When is Petra's birthday?", "What salary does Lena earn?",
    "Which religion does Dr. Osei follow?", "How tall is Yusuf?",
    "What is the serial number of the NAS?", "What warranty does the UPS have?",
    "Which colour is the printer?", "Who manufactured the double bass?",
    "What does Petra's husband do?", "Which university did Marek study at?",
    "What is Tomas allergic to?", "Which hospital treated Robin's wrist?",
    "What insurance covers the garage rack?", "How much does the Pi cluster weigh?",
    "Which licence do the dotfiles have?", "Which typeface does Low Tide use?",
    "Which publisher prints the essay?", "Who repaired the pump of the watering system?",
    "What is Henrik's hobby?", "Which shoe size has Lena?", "Does Aiko have a brother?",
    "Which football team does Marek support?", "What is Yusuf's bank account number?",
    "When did Ines marry?", "Where was Petra born?", "What does Tomas think of cryptocurrency?",
    "How much did the double bass cost?", "Which medicine does Robin take?",
    "What is the zodiac sign of Lena?", "Who is Aiko's landlord?",
    "Which perfume does Dr. Osei wear?", "Which room is the passport appointment in?",
    "How much does Lisbon in spring cost?",
)
