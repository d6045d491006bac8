// Sets the colour scheme that was chosen here before anything is painted.
{
  let kept = null
  try {
    kept = localStorage.getItem('console-color-scheme')
  } catch {
    // The browser keeps nothing: the system decides.
  }
  const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
