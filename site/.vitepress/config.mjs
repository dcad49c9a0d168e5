import { defineConfig } from "vitepress";

// The site is the documents as they are, copied to where its tools are found; it has a package of its own so that nobody else has to install its tools.
const pages = (title, ...items) => ({
  text: title,
  items: items.map(([text, name]) => ({ text, link: `/${name}` })),
});

export default defineConfig({
  title: "Suture",
  description: "Small, exact, explained, reversible edits, and documentation kept true to the code",
  srcDir: "pages",
  outDir: "dist",
  cacheDir: ".vitepress/cache",
  cleanUrls: true,
  // Links to files of the repository lead somewhere there; the tests see to that.
  ignoreDeadLinks: [/\.\.\//, /\.(?:json|yml|yaml|ts)$/, /\/(?:schemas|deploy|ci)\//],
  themeConfig: {
    search: { provider: "local" },
    outline: "deep",
    // A page of its own, which the router of the site does not know.
    nav: [{ text: "Try it", link: "/try/index.html", target: "_self" }],
    sidebar: [
      pages(
        "Use it",
        ["Get started", "get-started"],
        ["Keep documents true", "keep-docs-true"],
        ["Review", "review"],
        ["In CI", "ci"],
        ["In your editor", "editors"],
        ["Conflicts and undo", "undo"],
      ),
      pages(
        "Build on it",
        ["Tools and formats", "tools"],
        ["Agents and models", "agents"],
        ["MCP clients", "mcp-clients"],
        ["Coding agents", "coding-agents"],
        ["Library", "library"],
        ["Fleet", "fleet"],
      ),
      pages(
        "Look it up",
        ["Command line", "cli"],
        ["Configuration", "configuration"],
        ["Rules", "rules"],
        ["Publishing", "publishing"],
        ["Glossary", "glossary"],
      ),
      pages(
        "Believe it",
        ["How often it is right", "accuracy"],
        ["Found in well-known projects", "found"],
        ["Reliability", "reliability"],
        ["Security", "security"],
        ["Benchmarks", "benchmarks"],
        ["Scale", "scale"],
        ["Architecture", "architecture"],
      ),
    ],
  },
});
