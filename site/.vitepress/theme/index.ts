import theme from "vitepress/theme";
import "./look.css";

export default theme;
