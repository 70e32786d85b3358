package svc.management.docs;

/**
 * The text below one heading of a page, up to the next heading.
 *
 * @param page the name of its page, with {@code .md}
 * @param pageTitle the title of that page
 * @param title its own heading; that of the page for the text before the second heading
 * @param anchor of its heading within the page; empty for the beginning
 * @param weight of its matches: 1 for what the author of an application reads, less for the platform's internals
 */
record DocSection(String page, String pageTitle, String title, String anchor, String text, double weight) {
    /** Where it is below the folder of the pages. */
    String path() {
        return anchor.isEmpty() ? page : page + "#" + anchor;
    }

    /** Both headings. */
    String fullTitle() {
        return title.equals(pageTitle) ? title : pageTitle + " › " + title;
    }
}
