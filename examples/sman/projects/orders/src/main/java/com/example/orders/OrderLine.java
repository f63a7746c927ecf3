package com.example.orders;

/** Some pieces of one article. */
record OrderLine(String article, int pieces, long centsEach) {
  long cents() {
    return pieces * centsEach;
  }
}
