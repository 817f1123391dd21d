// The button that copies a new key. Without this script there is no button, and the key is selected by hand.
"use strict";
for (const button of document.querySelectorAll("[data-copies]")) {
    const secret = document.getElementById(button.dataset.copies);
    const said = document.getElementById("copied");
    if (navigator.clipboard) {
        button.hidden = false;
        button.addEventListener("click", () => navigator.clipboard.writeText(secret.textContent).then(
            () => { said.textContent = "Copied."; },
            () => { said.textContent = "The browser did not allow it. Select the key and copy it."; }));
    }
    // A browser may keep a page that is left, to show it again when someone goes back.
    addEventListener("pagehide", () => { secret.textContent = "It was shown once."; button.remove(); });
}
