"""From a command's options to what the library takes, where that is long enough for a module of its own."""
