// Swagger UI can disable "Try it out" by HTTP method only, and does not support x-explorer-enabled. This plugin disables it for each
// operation with `x-explorer-enabled: false` in the OpenAPI document.
//
// Quarkus serves this file next to the page of Swagger UI because of its folder; application.properties adds it to the page.
const ExplorerEnabled = () => ({
    statePlugins: {
        spec: {
            wrapSelectors: {
                allowTryItOutFor: (allowed, system) => (state, path, method) =>
                    allowed(state, path, method)
                    && system.specSelectors.specJson().getIn(["paths", path, method, "x-explorer-enabled"]) !== false,
            },
        },
    },
});
