from dataclasses import dataclass


@dataclass
class GateConfig:
    """Settings of a gate."""

    auto_close: bool = False
    close_delay: float = 2.5
