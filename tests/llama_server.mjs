// A chat endpoint on loopback with a real llama.cpp engine behind it.
// usage: node llama_server.mjs FOLDER MODEL.gguf   where FOLDER/node_modules has node-llama-cpp
// Prints its port, and ends with its standard input.
import http from "node:http";
import path from "node:path";
import {pathToFileURL} from "node:url";

const [folder, model_path] = process.argv.slice(2);
const entry = path.resolve(folder, "node_modules/node-llama-cpp/dist/index.js");
const {getLlama} = await import(pathToFileURL(entry));
const llama = await getLlama({gpu: false, build: "never", skipDownload: true, maxThreads: 1});
const model = await llama.loadModel({modelPath: model_path});
const context = await model.createContext({contextSize: 2048});

let requests = 0;
let last = Promise.resolve();  // one request after the other: there is one context

async function complete(request) {
  const prompt = request.messages.map(({role, content}) => `${role}: ${content}`).join("\n");
  const tokens = model.tokenize(prompt).slice(-1024);
  const sequence = context.getSequence();
  try {
    const made = [];
    // The engine's own seed is the time in seconds: ten samples would be the same.
    const options = {temperature: request.temperature ?? 1, seed: ++requests};
    for await (const token of sequence.evaluate(tokens, options)) {
      made.push(token);
      if (made.length >= (request.max_tokens ?? 32)) break;
    }
    return {
      object: "chat.completion",
      model: request.model,
      choices: [{index: 0, message: {role: "assistant", content: model.detokenize(made)}, finish_reason: "length"}],
      usage: {prompt_tokens: tokens.length, completion_tokens: made.length},
    };
  } finally {
    sequence.dispose();
  }
}

const server = http.createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const mine = last.then(() => complete(JSON.parse(body)));
  last = mine.catch(() => {});
  const [status, reply] = await mine.then(
      (done) => [200, done], (error) => [500, {error: {message: String(error)}}]);
  response.writeHead(status, {"Content-Type": "application/json"}).end(JSON.stringify(reply));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().on("end", () => process.exit(0));
