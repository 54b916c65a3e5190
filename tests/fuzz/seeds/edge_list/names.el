a b {}
b c {}
