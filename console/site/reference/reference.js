// What makes the docs page handier: one sample language, copy buttons, a filter, the current section.
// Loaded in the head, so that the language of the samples is right with the first paint.
{
  const root = document.documentElement
  const storage = {
    read(name) {
      try {
        return localStorage.getItem(name)
      } catch {
        return null
      }
    },
    keep(name, value) {
      try {
        localStorage.setItem(name, value)
      } catch {
        // The browser keeps nothing: the choice lasts as long as the page.
      }
    },
  }
  const known = ['curl', 'sdk', 'javascript', 'python']
  const kept = storage.read('docs-sample')
  root.dataset.sample = known.includes(kept) ? kept : known[0]

  document.addEventListener('DOMContentLoaded', () => {
    showChoice()
    document.addEventListener('click', onClick)
    document.addEventListener('keydown', onKey)
    document.querySelector('#filter').addEventListener('input', filter)
    followReading()
  })

  function onClick({ target }) {
    const choice = target.closest('[data-sample]')
    if (choice && choice !== root) return choose(choice)
    if (target.closest('.copy')) return copy(target.closest('.copy'))
    const link = target.closest('#contents a')
    if (link && document.querySelector('#contents:popover-open')) document.querySelector('#contents').hidePopover()
    // The other language opens at the same place.
    const language = target.closest('#language')
    if (language) language.hash = location.hash
  }

  function choose(button) {
    const before = button.getBoundingClientRect().top
    root.dataset.sample = button.dataset.sample
    storage.keep('docs-sample', button.dataset.sample)
    showChoice()
    // Samples above differ in length by language; what was clicked stays where it is.
    scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' })
  }

  function showChoice() {
    for (const button of document.querySelectorAll('button[data-sample]')) {
      button.setAttribute('aria-pressed', String(button.dataset.sample === root.dataset.sample))
    }
  }

  async function copy(button) {
    const panel = button.closest('.panel')
    const code = panel.querySelector(`.sample.${root.dataset.sample}`) ?? panel.querySelector('pre')
    try {
      await navigator.clipboard.writeText(code.textContent)
    } catch {
      // Not allowed here: selected, the text can be copied by hand.
      getSelection().selectAllChildren(code)
      return
    }
    const label = button.textContent
    const done = document.body.dataset.copied
    if (label === done) return
    button.textContent = done
    setTimeout(() => {
      button.textContent = label
    }, 1500)
  }

  function onKey(event) {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target.matches('input, textarea')) return
    const field = document.querySelector('#filter')
    if (!field.checkVisibility()) return
    event.preventDefault()
    field.focus()
  }

  function filter({ target }) {
    const words = target.value.toLowerCase().split(/\s+/).filter(Boolean)
    const rows = [...document.querySelectorAll('#contents li')]
    let found = 0
    for (const row of rows) {
      const text = `${row.textContent} ${row.dataset.words ?? ''}`.toLowerCase()
      row.hidden = !words.every((word) => text.includes(word))
      if (!row.hidden) found++
    }
    for (const title of document.querySelectorAll('#contents h2')) {
      title.hidden = [...title.nextElementSibling.children].every((row) => row.hidden)
    }
    const output = document.querySelector('#found')
    const shown = found === 1 ? output.dataset.one : output.dataset.many.replace('2', found)
    output.textContent = words.length > 0 ? shown : ''
  }

  function followReading() {
    const links = new Map(
      [...document.querySelectorAll('#contents a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
    )
    const visible = new Set()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) visible[isIntersecting ? 'add' : 'delete'](target)
        const first = places.find((place) => visible.has(place))
        if (!first) return
        for (const link of links.values()) link.removeAttribute('aria-current')
        const link = links.get(first.id)
        link.setAttribute('aria-current', 'true')
        const contents = document.querySelector('#contents')
        const [box, frame] = [link.getBoundingClientRect(), contents.getBoundingClientRect()]
        if (box.top < frame.top || box.bottom > frame.bottom) contents.scrollTop += box.top - frame.top - 120
      },
      { rootMargin: '-80px 0px -60% 0px' },
    )
    const places = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
    for (const place of places) observer.observe(place)
  }
}
