"""The settings of maintenance, each with its meaning."""

from core.model.validation import SettingsSection, limited, setting, share


class MaintenanceSettings(SettingsSection):
    """What maintenance does, and how often."""

    enabled: bool = setting(
        False, "Run maintenance regularly while the window is open. Off by default, so that "
               "nothing changes your agent's memory without your consent.")
    every_minutes: float = limited(30, 1, 60 * 24 * 7, "Minutes between two runs.")
    propagation: bool = setting(True, "Retire values whose memory was deleted.")
    supersession: bool = setting(True, "Replace values that newer ones contradict.")
    duplicates: bool = setting(True, "Merge duplicate values.")
    decay: bool = setting(
        True, "Lower the weight of aspects that have not been confirmed for long.")
    tasks: bool = setting(True, "Expire tasks, and archive finished ones.")
    proposals: bool = setting(
        False, "Reject proposals that nobody has decided for long; they may be proposed again.")
    proposal_age_days: float = limited(
        90, 1, 3650, "Days after which a proposal that nobody has decided expires.")
    embeddings: bool = setting(True, "Compute missing vectors.")
    task_age_days: float = limited(
        60, 1, 3650, "Days without a change after which a task without a due date expires.")
    task_retention_days: float = limited(
        7, 0, 3650, "Days that a finished task stays available before it is archived.")
    task_weight: float = share(0.5, "Maximum weight of the aspects of a task.")
