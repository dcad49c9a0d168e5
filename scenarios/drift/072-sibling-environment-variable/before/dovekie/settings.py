import os

DOVEKIE_HOST = os.environ.get("DOVEKIE_HOST", "localhost")
DOVEKIE_PORT = os.environ.get("DOVEKIE_PORT", "8000")
DOVEKIE_TOKEN = os.environ.get("DOVEKIE_TOKEN")
DOVEKIE_REGION = os.environ.get("DOVEKIE_REGION", "north")
