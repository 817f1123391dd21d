// Swagger UI can disable "Try it out" by HTTP method only, and does not support x-explorer-enabled. This plugin disables it for each
// operation with `x-explorer-enabled: false` in the OpenAPI document, and says so.
//
// application.properties adds this file to the page of Swagger UI.
const ExplorerEnabled = ({ React: { createElement } }) => ({
    statePlugins: {
        spec: {
            wrapSelectors: {
                allowTryItOutFor: (allowed, system) => (state, path, method) =>
                    allowed(state, path, method)
                    && system.specSelectors.specJson().getIn(["paths", path, method, "x-explorer-enabled"]) !== false,
            },
        },
    },
    wrapComponents: {
        parameters: Parameters => properties => createElement("div", null,
            !properties.allowTryItOut && createElement("div", { className: "opblock-section-header" },
                createElement("h4", null, "The interface does not allow trying this out here (x-explorer-enabled: false). Send it by curl, with your key."),
                createElement("button", { className: "btn try-out__btn", disabled: true }, "Try it out")),
            createElement(Parameters, properties)),
    },
});
