[(block) (enumeration) (arguments) (array) (comprehension) (law) (block_comment)] @fold
