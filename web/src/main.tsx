import { render } from "preact";
import { App } from "./app";
import "./style.css";
import { storedTheme, wear } from "./theme";

wear(storedTheme());
const page = document.getElementById("page");
if (page) render(<App />, page);
