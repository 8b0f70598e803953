package io.weir.house;

/** This module keeps the rules of the house. */
class HouseTest extends HouseRules {}
