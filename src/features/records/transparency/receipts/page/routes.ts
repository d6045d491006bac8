import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { Route } from '../../../../../http/route.ts'
import { pagePolicy } from '../../../../../http/static/built-app.ts'
import { createStaticContent, type StaticContent } from '../../../../../http/static/static-content.ts'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** A browser runs it without its types, under a name that ends in `.js`. */
const script = (name: string): string => stripTypeScriptTypes(read(name)).replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'")

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Verify a receipt · 核验回执</title><link rel="stylesheet" href="/verify/page.css">
<script type="module" src="/verify/page.js"></script></head>
<body><main><h1>Verify a receipt <span lang="zh-CN">核验回执</span></h1>
<p>Verified in this browser. What you paste never leaves it. <span lang="zh-CN">在浏览器中核验，粘贴的内容不会上传。</span></p>
<form id="form"><p><label for="receipt">Receipt or statement <span lang="zh-CN">回执或对账单</span></label>
<textarea id="receipt" rows="8" spellcheck="false" required></textarea></p>
<button type="submit">Verify · 核验</button></form>
<p id="result" role="status"></p><ol id="steps"></ol>
<details><summary>What was signed · 签名内容</summary><pre id="payload"></pre></details>
<h2>Proof <span lang="zh-CN">存证</span></h2>
<p>Checkpoints this browser has seen. They stay on this device; every later receipt must be consistent with the oldest one.
<span lang="zh-CN">本浏览器记录的检查点，仅保存在本设备上；之后的每份回执都须与最早的检查点一致。</span></p>
<form id="month"><label for="of">Monthly statement <span lang="zh-CN">月度对账单</span></label>
<input id="of" name="month" type="month" required> <button type="submit">Download · 下载</button></form>
<ul id="seen"></ul></main></body></html>
`

/** `GET /verify`: takes a pasted receipt, without a sign-in. Loaded on first use, because most gateways never need it. */
export function verifyPageRoutes(): Route[] {
  const javascript = 'text/javascript; charset=utf-8'
  const html = {
    contentType: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': pagePolicy({ connects: true }) },
  }
  return [
    route('/verify', () => createStaticContent({ ...html, body: page })),
    route('/verify/page.css', () =>
      createStaticContent({ body: read('page.css'), contentType: 'text/css; charset=utf-8' }),
    ),
    route('/verify/page.js', () => createStaticContent({ body: read('page.js'), contentType: javascript })),
    ...['merkle', 'seen', 'signed', 'verify'].map((name) =>
      route(`/verify/${name}.js`, () => createStaticContent({ body: script(`${name}.ts`), contentType: javascript })),
    ),
  ]
}

function route(path: string, load: () => StaticContent): Route {
  let content: StaticContent | undefined
  return {
    operationId: 'receipts.verify',
    method: 'GET',
    path,
    handle(call) {
      content ??= load()
      return content.respond(call)
    },
  }
}
