// Before the first paint: the colours chosen by hand, so that a page never flashes in the other ones.
try {
  const chosen = localStorage.getItem("wordyard.colours");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.colours = chosen;
} catch {
  // storage is blocked: the system's colours are used
}
