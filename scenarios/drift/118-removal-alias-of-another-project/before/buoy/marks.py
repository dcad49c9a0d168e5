def retired(name, thing):
    return thing
