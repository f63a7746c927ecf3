package com.example.orders;

/** Computes what a customer pays. */
final class Checkout {
  private Checkout() {}

  static long shippingCents(Order order) {
    return Shipping.costOf(order.goodsCents());
  }

  static long totalCents(Order order) {
    return order.goodsCents() + shippingCents(order);
  }
}
