from setuptools import setup

setup(
    name="tidewatch",
    version="1.2.0",
)
