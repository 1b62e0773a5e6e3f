"""What an agent reads of a person's expectations: what must come for a question, and whether it
does."""

from core.expectations.check import check as check_all
from core.expectations.check import failing
from core.expectations.store import expectations
from explorer.caller_arguments import Arguments
from explorer.graph_for_caller import Answer, Door
from explorer.mcp.tool import Tool
from explorer.model_json import checked_json


def check_expectations(door: Door, given: Arguments) -> Answer:
    """Check what the person expects of this memory: for each question what must, or must not,
    come, and whether it does. Look here after a change; a person alone writes expectations down.
    """
    with door.read() as reader:
        checked = check_all(reader, expectations(reader), door.engine.settings,
                            door.engine.embedder)
    failed = failing(checked)
    lines = [f"{len(checked) - len(failed)} of {len(checked)} hold"] if checked else [
        "No expectations are written down."]
    for each in checked:
        lines.append(f"- {'holds' if each.holds else 'FAILS'}: {each.line}")
        lines += [f"  why: {each.why}"] * (not each.holds)
    return Answer(checked_json(checked), "\n".join(lines))


EXPECTATION_TOOLS = (Tool(check_expectations, Arguments, reads=True),)
