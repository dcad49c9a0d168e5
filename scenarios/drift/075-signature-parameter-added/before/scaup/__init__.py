from .forms import FormRequest

__all__ = ["FormRequest"]
