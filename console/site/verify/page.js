import { checkDocument } from './history.js'
import { originIn, readSeen, rememberSeen, sizeIn } from './seen.js'
import { paymentIn } from './verify.js'

const find = (id) => document.getElementById(id)
const words = JSON.parse(document.body.dataset.words)
const language = document.documentElement.lang
const number = new Intl.NumberFormat(language)
const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
/** Far above any receipt or statement. */
const maxBytes = 1_000_000

const remember = (note) => rememberSeen(localStorage, note, new Date().toISOString())

function element(name, text, attributes = {}) {
  const made = document.createElement(name)
  made.append(...[text].flat())
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

async function read(path) {
  const response = await fetch(path).catch(() => null)
  // Read either way: a body that is left unread keeps its connection busy.
  const text = await response?.text()
  return response?.ok ? text : null
}

const tiles = async (path) => {
  const response = await fetch(`/transparency/${path}`)
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
}

function showSeen() {
  const items = readSeen(localStorage).toReversed()
  const lines = items.map(({ note, at }) =>
    element('li', [
      element('p', `${time.format(new Date(at))} · ${words.size.replace('{{size}}', number.format(sizeIn(note)))}`),
      element('pre', note, { tabindex: '0' }),
    ]),
  )
  if (items.length === 0) lines.push(element('li', words.none))
  if (items.length === 1) lines.unshift(element('li', element('strong', words.onlyFirst)))
  find('seen').replaceChildren(...lines)
}

/** Which checkpoints of the current log this browser has seen, the oldest first. */
async function seenOfLog() {
  const origin = originIn((await read('/transparency/checkpoint')) ?? '')
  return readSeen(localStorage)
    .map(({ note }) => note)
    .filter((note) => originIn(note) === origin)
}

async function verify() {
  const jws = find('receipt').value.trim()
  const keys = await read('/.well-known/jwks.json')
  if (!keys) return tell('wait', words.noKeys)
  await show(checkDocument(jws, { jwks: JSON.parse(keys), tiles, seen: await seenOfLog() }), words.verifiedHint)
}

/** The sample comes from another gateway, so its key and its older checkpoint come with it. */
async function verifySample() {
  const sample = JSON.parse((await read('/verify/sample.json')) ?? 'null')
  if (!sample) return tell('wait', words.noKeys)
  find('receipt').value = sample.jws
  const seen = [sample.since]
  await show(checkDocument(sample.jws, { jwks: sample.jwks, tiles: async () => null, seen }), words.sampleHint, true)
}

async function show(checking, hint, isSample = false) {
  const checked = await checking.catch(() => null)
  if (!checked) return tell('wait', words.unable, words.unableHint)
  const { ok, steps, payload, isFirst } = checked
  const isPending = !ok && steps[0]?.ok && payload?.checkpoint === null
  const proves = isSample ? { ...words.proves, consistency: words.sampleHistory } : words.proves
  const lines = steps.map((step) => stepLine(step, { isPending, payload, proves }))
  if (isFirst) lines.push(line('first', words.steps.consistency, words.first, [element('p', words.firstHint)]))
  const parts = [element('ol', lines, { class: 'checks' }), ...factsOf(payload)]
  if (ok) tell('good', words.verified, hint, parts)
  else if (isPending) tell('wait', words.pending, words.pendingHint, parts)
  else tell('bad', words.notVerified, words.notVerifiedHint, parts)
  if (ok && !isSample) remember(payload.checkpoint)
  showSeen()
}

function stepLine({ name, ok, detail }, { isPending, payload, proves }) {
  const waits = !ok && isPending && !['signature', 'canonical', 'payment'].includes(name)
  const state = ok ? 'holds' : waits ? 'waits' : 'fails'
  const sentence =
    ok && name === 'payment' && paymentIn(payload).isOrderOnly
      ? words.orderOnly
      : (ok ? proves : words[waits ? 'waiting' : 'fault'])[name]
  const size = typeof payload?.checkpoint === 'string' ? number.format(sizeIn(payload.checkpoint)) : ''
  const texts = [element('p', filled(sentence, { size, ...amountsOf(payload) }))]
  if (state === 'fails') texts.push(element('p', detail, { lang: 'en', class: 'detail' }))
  return line(state, words.steps[name], words[state], texts)
}

const filled = (sentence, values) => sentence.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name])

const yuan = new Intl.NumberFormat(language, { style: 'currency', currency: 'CNY', currencyDisplay: 'narrowSymbol' })

function amountsOf(payload) {
  const payment = paymentIn(payload ?? {})
  return payment ? { paid: yuan.format(payment.paidFen / 100), order: yuan.format(payment.orderFen / 100) } : {}
}

const line = (state, name, result, texts) =>
  element('li', [element('p', [element('b', name), ' ', element('span', result)]), ...texts], { 'data-state': state })

const wordsOf = {
  operation: (id) => words.operations[id],
  state: (state) => words.states[state],
  issuedAt: (at) => time.format(new Date(at)),
}

/** What a document says, in words; the signed text below it has everything. */
function factsOf(payload) {
  if (!payload) return []
  const shown = Object.entries(words.facts).flatMap(([name, title]) => {
    const value = payload[name]
    if (typeof value !== 'string' && typeof value !== 'number') return []
    const text = wordsOf[name]?.(value) ?? value
    return [element('div', [element('dt', title), element('dd', String(text))])]
  })
  const signed = element('details', [
    element('summary', document.querySelector('#outcome').dataset.signed),
    element('pre', JSON.stringify(payload, null, 2), { tabindex: '0' }),
  ])
  return [element('dl', shown, { class: 'facts' }), signed]
}

function tell(tone, title, hint = '', parts = []) {
  const head = element('p', [element('strong', title), ' ', hint], { class: `verdict ${tone}` })
  find('outcome').hidden = false
  find('outcome').replaceChildren(head, ...parts)
}

async function take(file) {
  if (!file) return
  if (file.size > maxBytes) return tell('bad', words.tooLarge)
  find('receipt').value = (await file.text()).trim()
  await verify()
}

find('form').addEventListener('submit', (event) => {
  event.preventDefault()
  void verify()
})
find('sample').addEventListener('click', () => void verifySample())
find('file').addEventListener('change', ({ target }) => void take(target.files[0]))
for (const kind of ['dragover', 'drop']) {
  find('form').addEventListener(kind, (event) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    find('form').classList.toggle('dropping', kind === 'dragover')
    if (kind === 'drop') void take(event.dataTransfer.files[0])
  })
}
find('form').addEventListener('dragleave', () => find('form').classList.remove('dropping'))
find('month').addEventListener('submit', (event) => {
  event.preventDefault()
  const month = new FormData(event.target).get('month')
  if (/^\d{4}-\d{2}$/.test(month)) location.assign(`/v1/console/statements/${month}.jws`)
})

const checkpoint = await read('/transparency/checkpoint')
if (checkpoint) remember(checkpoint)
showSeen()
const chargeId = new URLSearchParams(location.search).get('charge')
if (chargeId && /^chg_\w+$/.test(chargeId)) {
  const jws = await read(`/v1/console/usage/${chargeId}/receipt.jws`)
  if (jws) {
    find('receipt').value = jws
    await verify()
  } else tell('wait', words.signIn)
}
