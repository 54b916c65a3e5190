graph [ node [ id 0 label "&&&amp;&#x10FFFF;&#x110000;&nbsp;&" ] node [ id 1 label "b" ] edge [ source 0 target 1 value 9 key 0 ] ]
