package svc.management.docs;

/**
 * The text below one heading of a page, up to the next heading.
 *
 * @param page the name of its page, with {@code .md}
 * @param pageTitle the title of that page
 * @param title its own heading; that of the page for the text before the second heading
 * @param anchor of its heading within the page; empty for the beginning
 */
record DocSection(String page, String pageTitle, String title, String anchor, String text) {
    /** Where it is below the folder of the pages. */
    String path() {
        return anchor.isEmpty() ? page : page + "#" + anchor;
    }

    /** Both headings. */
    String fullTitle() {
        return title.equals(pageTitle) ? title : pageTitle + " › " + title;
    }
}
