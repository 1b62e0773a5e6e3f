"""The settings of maintenance, each with its meaning."""

from core.model.pydantic_helpers import SettingsSection, limited, setting, share


class MaintenanceSettings(SettingsSection):
    """What maintenance does, and how often."""

    enabled: bool = setting(
        False, "Run maintenance regularly while the window is open. Off by default, so that "
               "nothing changes your agent's memory without your consent.", title="Run regularly")
    every_minutes: float = limited(30, 1, 60 * 24 * 7, "Minutes between two runs.",
        title="Minutes between two runs")
    propagation: bool = setting(True, "Retire values whose memory was deleted.",
        title="Values of deleted memories")
    supersession: bool = setting(True, "Replace values that newer ones contradict.",
        title="Contradicted values")
    duplicates: bool = setting(True, "Merge duplicate values.", title="Duplicate values")
    decay: bool = setting(
        True, "Lower the weight of aspects that have not been confirmed for long.",
        title="Unconfirmed aspects")
    tasks: bool = setting(True, "Expire tasks, and archive finished ones.", title="Tasks")
    proposals: bool = setting(
        False, "Reject proposals that nobody has decided for long; they may be proposed again.",
        title="Old proposals")
    proposal_age_days: float = limited(
        90, 1, 3650, "Days after which a proposal that nobody has decided expires.",
        title="Days until a proposal expires")
    embeddings: bool = setting(True, "Compute missing vectors.", title="Missing vectors")
    task_age_days: float = limited(
        60, 1, 3650, "Days without a change after which a task without a due date expires.",
        title="Days until a task expires")
    task_retention_days: float = limited(
        7, 0, 3650, "Days that a finished task stays available before it is archived.",
        title="Days a finished task stays")
    task_weight: float = share(0.5, "Maximum weight of the aspects of a task.",
        title="Most weight of a task's aspects")
