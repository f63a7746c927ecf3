package com.example.orders;

import java.util.List;

/** Prints the receipt of an order of exactly 50.00. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Order order = new Order("Ada", List.of(new OrderLine("Notebook", 4, 1_000), new OrderLine("Pencil", 10, 100)));
    Receipt.linesOf(order).forEach(System.out::println);
  }
}
