"""What the protocol and people demand of the server, sentence by sentence, each with its tests."""
