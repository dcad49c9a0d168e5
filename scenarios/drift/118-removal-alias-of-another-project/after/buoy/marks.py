def retired(name, thing):
    return thing


def fresh(thing):
    return thing
