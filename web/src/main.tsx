import "./style.css";

import { render } from "preact";

import { App } from "./app";

const page = document.getElementById("page")!;
page.textContent = "";
render(<App />, page);
