"""What every section of the settings is built on."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class SettingsSection(BaseModel):
    """Numbers that are set together; every name is also taken as upstream spells it: `maxHops`."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)
