// The button that copies a new key. Without this script there is no button, and the key is copied manually.
"use strict";
for (const button of document.querySelectorAll("[data-copies]")) {
    const secret = document.getElementById(button.dataset.copies);
    const said = document.getElementById("copied");
    if (navigator.clipboard) {
        button.hidden = false;
        button.addEventListener("click", () => navigator.clipboard.writeText(secret.textContent).then(
            () => { said.textContent = "Copied."; },
            () => { said.textContent = "The browser did not allow it. Select and copy the key manually."; }));
    }
    // A browser may cache a page, to show it again after "back".
    addEventListener("pagehide", () => { secret.textContent = "It was shown once."; button.remove(); });
}
