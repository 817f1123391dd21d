package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;

/**
 * What all pages have around their content.
 *
 * @param title names the page
 * @param section the entry of the navigation that the page belongs to: {@code overview}, {@code keys}, {@code issue}, or empty
 * @param formToken what each form carries; {@code null} if nobody is signed in
 * @param assets where style, script and icon are
 */
record Frame(String title, String section, String formToken, String assets) {
    /** Whether an operator is signed in. */
    public boolean signedIn() {
        return formToken != null;
    }

    /** The first page. */
    public String root() {
        return ConsolePath.ROOT;
    }
}
