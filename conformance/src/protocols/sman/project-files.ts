const numbered = (word: string, count: number, end: string): string =>
  Array.from({ length: count }, (_, index) => `${word}-${String(index + 1).padStart(2, "0")} of it${end}`).join("");

/** A line that many files have, so that a plugin that reads all of them says more than it should. */
const shop = `package demo;

public class Shop {
    private final Stock stock = new Stock();

    public int openShop(int crates) {
        // sourceOfOpenShop
        int tallied = stock.tallyCrates(crates);
        return auditTotals(tallied);
    }

    int auditTotals(int tallied) {
        return tallied + 1;
    }
}
`;
const stock = `package demo;

public class Stock {
    int tallyCrates(int crates) {
        return peekShelf(crates) * 2;
    }

    int peekShelf(int crates) {
        return crates;
    }
}
`;
const market = `package demo;

public class Market {
    private final Shop shop = new Shop();

    int tradeAtDawn(int crates) {
        // sourceOfTradeAtDawn
        return shop.openShop(crates);
    }

    int tradeAtDusk(int crates) {
        return shop.openShop(crates + 1);
    }

    int wakeMarket() {
        return tradeAtDawn(3);
    }
}
`;

/** One of the classes that have a method of the same name, which calls another method in each. */
const house = (name: string, callee: string): string => `package demo;

public class ${name} {
    int countCrates(int crates) {
        return ${callee}(crates);
    }

    int ${callee}(int crates) {
        return crates;
    }
}
`;

/** The words of a file in which patterns are searched for; each line has a name of its own. */
const words = [
  "row-01 a plain start",
  "row-02 the dotted a.c here",
  "row-03 the letters abc here",
  "row-04 between",
  "row-05 the big NEEDLE lies here",
  "row-06 between",
  "row-07 the small needle lies here",
  "row-08 between",
  "row-09 größer, 漢字 and 😀",
  "row-10 the end",
];

/** The files of the project, by their paths. */
export const projectFiles: Readonly<Record<string, string>> = {
  "README.md": "A project for conformance runs. It can be deleted.\n",
  "src/demo/Shop.java": shop,
  "src/demo/Stock.java": stock,
  "src/demo/Market.java": market,
  "src/demo/Annex.java": house("Annex", "stackInAnnex"),
  "src/demo/Barn.java": house("Barn", "stackInBarn"),
  "search/words.txt": `${words.join("\n")}\n`,
  "search/elsewhere.txt": "row-90 the small needle lies elsewhere\n",
  "search/many.txt": numbered("hay", 60, " is straw\n"),
  "search/one-more.txt": "hay-61 of it is straw\n",
  "search/types/Kind.java": "// sortable in-java\n",
  "search/types/kind.properties": "sortable=in-properties\n",
  "search/types/kind.txt": "sortable in-text\n",
  "search/slow.txt": `${"a".repeat(40)}!\n`,
  "read/numbers.txt": numbered("num", 60, "\n"),
  "read/windows.txt": numbered("win", 3, "\r\n"),
  "read/open.txt": "one-line\nno-line-end",
  "read/empty.txt": "",
  "read/texts.txt": "größer\n漢字😀\n",
};

/** The text of the file beside the project, which no tool may show. */
export const secret = "outside-secret hidden-token-7411\n";

/** Links that lead out of the project, by their paths. */
export const projectLinks: Readonly<Record<string, string>> = {
  "link-to-file.txt": "../outside/secret.txt",
  "link-to-folder": "../outside",
  "link-to-nothing.txt": "../outside/made.txt",
};
