package com.example.orders;

/** What it costs to send an order. */
final class Shipping {
  private static final long FREE_FROM_CENTS = 5_000;
  private static final long FLAT_RATE_CENTS = 490;

  private Shipping() {}

  /** Goods from 50.00 on are sent for free; the bound is included. */
  static boolean isFree(long goodsCents) {
    return goodsCents > FREE_FROM_CENTS;
  }

  /** The cost of sending goods of this value. */
  static long costOf(long goodsCents) {
    return isFree(goodsCents) ? 0 : FLAT_RATE_CENTS;
  }
}
