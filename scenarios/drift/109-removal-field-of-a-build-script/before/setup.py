from setuptools import find_packages, setup

setup(
    name="tidewatch",
    version="1.2.0",
    packages=find_packages(),
    include_package_data=True,
)
