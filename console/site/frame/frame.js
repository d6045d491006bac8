// Runs before the first paint: the colours chosen in the console, and whether somebody is signed in there.
{
  const root = document.documentElement
  root.classList.add('scripted')
  const kept = (name) => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  const apply = () => {
    const scheme = kept('console-color-scheme')
    if (scheme === 'light' || scheme === 'dark') root.dataset.colorScheme = scheme
    else delete root.dataset.colorScheme
    root.toggleAttribute('data-signed-in', Date.parse(kept('console-signed-in-until') ?? '') > Date.now())
  }
  apply()
  // Another tab signed in or out, or chose other colours.
  addEventListener('storage', apply)
}
