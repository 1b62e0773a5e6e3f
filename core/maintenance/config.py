"""The settings of maintenance, each with its meaning."""

from pydantic import Field

from core.model.validation import SettingsSection


class MaintenanceSettings(SettingsSection):
    """What is kept in order by itself, and how often."""

    enabled: bool = Field(
        default=False,
        description="Do the chores from time to time while the window is open. Off until you "
                    "switch it on: nothing changes your agent's memory unasked.")
    every_minutes: float = Field(
        default=30, ge=1, le=60 * 24 * 7, description="Minutes between two rounds.")
    propagation: bool = Field(
        default=True, description="Retire values whose memory was deleted.")
    supersession: bool = Field(
        default=True, description="Replace values that newer ones contradict.")
    duplicates: bool = Field(default=True, description="Make one of values that say the same.")
    decay: bool = Field(
        default=True, description="Let aspects lose weight that nothing has confirmed for long.")
    tasks: bool = Field(default=True, description="Let tasks expire, and release finished ones.")
    embeddings: bool = Field(default=True, description="Make the vectors that are missing.")
    task_age_days: float = Field(
        default=60, ge=1, le=3650,
        description="Days without a change after which a task without a date is over.")
    task_retention_days: float = Field(
        default=7, ge=0, le=3650,
        description="Days that a finished task is kept for context before it is released.")
    task_weight: float = Field(
        default=0.5, ge=0, le=1, description="The aspects of a task never weigh more.")
