# a comment
Creator "x"
graph [
  directed 1
  node [ id 0 label "a" graphics [ x 1.5 ] ]
  node [ id 1 label "b &amp; &#248;" ]
  edge [ source 0 target 1 weight 2 ]
  edge [ source 1 target 1 weight 2.5 ]
]
