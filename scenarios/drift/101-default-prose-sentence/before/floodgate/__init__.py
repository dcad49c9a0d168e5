from .config import GateConfig

__all__ = ["GateConfig"]
