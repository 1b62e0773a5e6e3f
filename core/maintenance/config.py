"""The settings of maintenance, each with its meaning."""

from pydantic import Field

from core.model.validation import SettingsSection


class MaintenanceSettings(SettingsSection):
    """What maintenance does, and how often."""

    enabled: bool = Field(
        default=False,
        description="Run maintenance regularly while the window is open. Off by default, so that "
                    "nothing changes your agent's memory without your consent.")
    every_minutes: float = Field(
        default=30, ge=1, le=60 * 24 * 7, description="Minutes between two runs.")
    propagation: bool = Field(
        default=True, description="Retire values whose memory was deleted.")
    supersession: bool = Field(
        default=True, description="Replace values that newer ones contradict.")
    duplicates: bool = Field(default=True, description="Merge duplicate values.")
    decay: bool = Field(
        default=True, description="Lower the weight of aspects that have not been confirmed for "
                                  "long.")
    tasks: bool = Field(default=True, description="Expire tasks, and archive finished ones.")
    embeddings: bool = Field(default=True, description="Compute missing vectors.")
    task_age_days: float = Field(
        default=60, ge=1, le=3650,
        description="Days without a change after which a task without a due date expires.")
    task_retention_days: float = Field(
        default=7, ge=0, le=3650,
        description="Days that a finished task stays available before it is archived.")
    task_weight: float = Field(
        default=0.5, ge=0, le=1, description="Maximum weight of the aspects of a task.")
