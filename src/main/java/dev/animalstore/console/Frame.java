package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;

/**
 * The common frame of all pages.
 *
 * @param title the title of the page
 * @param section the active entry of the navigation: {@code overview}, {@code keys}, {@code issue}, or empty
 * @param formToken the CSRF token of each form; {@code null} on a page without a session
 * @param assets the folder of the assets
 */
record Frame(String title, String section, String formToken, String assets) {
    /** Whether an operator is signed in. */
    public boolean signedIn() {
        return formToken != null;
    }

    /** The path of the first page. */
    public String root() {
        return ConsolePath.ROOT;
    }
}
