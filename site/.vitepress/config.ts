import manifest from "../../package.json" with { type: "json" };
import { slugOf } from "../../src/syntax/formats/slug.ts";
import { linkToRepository, type Renderer } from "./repository-links.ts";

// The site is the documents as they are, copied to where its tools are found; it has a package of its own so that `npm test` does not install them.
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
// A site in a folder of its host needs the name of the folder: SITE_BASE=/suture/ npm run docs
const base = process.env.SITE_BASE ?? "/";
const group = (title: string, ...items: readonly (readonly [string, string])[]) => ({
  text: title,
  items: items.map(([text, name]) => ({ text, link: `/${name}` })),
});

export default {
  title: "Suture",
  description: manifest.description,
  base,
  head: [["link", { rel: "icon", href: `${base}icon.svg`, type: "image/svg+xml" }]],
  srcDir: "pages",
  outDir: "dist",
  cacheDir: ".vitepress/cache",
  cleanUrls: true,
  markdown: {
    // As code hosts name them, so that a link to a heading works there and here.
    anchor: { slugify: slugOf },
    config: (markdown: Renderer) => linkToRepository(markdown, repository),
  },
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local" },
    outline: "deep",
    nav: [
      { text: "Get started", link: "/get-started" },
      // A page of its own, which the router of the site does not know.
      { text: "Try it", link: "/try/index.html", target: "_self" },
      { text: "What it found", link: "/found" },
    ],
    socialLinks: [{ icon: "github", link: repository, ariaLabel: "Repository" }],
    sidebar: [
      group(
        "Use it",
        ["Get started", "get-started"],
        ["Keep documents true", "keep-docs-true"],
        ["Review", "review"],
        ["In CI", "ci"],
        ["In your editor", "editors"],
        ["Conflicts and undo", "undo"],
        ["Agents and models", "agents"],
        ["Coding agents", "coding-agents"],
      ),
      group(
        "Build on it",
        ["Build an agent", "build-an-agent"],
        ["Tools and formats", "tools"],
        ["MCP clients", "mcp-clients"],
        ["Your own MCP service", "your-own-mcp-service"],
        ["Library", "library"],
        ["Code-mods", "code-mods"],
        ["In the browser", "in-the-browser"],
        ["Testing with the memory disk", "testing-with-the-memory-disk"],
      ),
      group("Run it for many", ["Fleet", "fleet"], ["Deploy", "deploy"], ["Scale", "scale"]),
      group(
        "Look it up",
        ["Command line", "cli"],
        ["Configuration", "configuration"],
        ["Rules", "rules"],
        ["Glossary", "glossary"],
      ),
      group(
        "Believe it",
        ["How often it is right", "accuracy"],
        ["Found in well-known projects", "found"],
        ["How it compares", "comparison"],
        ["Figures", "figures"],
        ["Reliability", "reliability"],
        ["Security", "security"],
        ["Benchmarks", "benchmarks"],
      ),
      group(
        "Take part",
        ["Contribute", "contribute"],
        ["Architecture", "architecture"],
        ["Publishing", "publishing"],
      ),
    ],
  },
};
