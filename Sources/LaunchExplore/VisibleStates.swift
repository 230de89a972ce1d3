struct VisibleStates {}
