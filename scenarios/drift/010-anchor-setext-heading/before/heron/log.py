import signal

ROTATE_ON = signal.SIGHUP
