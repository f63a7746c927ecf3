package com.example.orders;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text that a customer gets. */
final class Receipt {
  private Receipt() {}

  static List<String> linesOf(Order order) {
    List<String> lines = new ArrayList<>();
    for (OrderLine line : order.lines()) {
      lines.add(line.pieces() + " x " + line.article() + ": " + money(line.cents()));
    }
    lines.add("Shipping: " + money(Checkout.shippingCents(order)));
    lines.add("Total: " + money(Checkout.totalCents(order)));
    return lines;
  }

  private static String money(long cents) {
    return String.format(Locale.ROOT, "%.2f", cents / 100.0);
  }
}
