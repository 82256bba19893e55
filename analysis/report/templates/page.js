// Draws every chart of the page. Expressions are interpreted, not compiled, so that the page needs no right to make code.
(async () => {
  const options = {
    mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false,
    tooltip: { disableDefaultStyle: true, theme: "page" },
  };
  for (const source of document.querySelectorAll("script[data-chart]")) {
    const place = document.getElementById(source.dataset.chart);
    try {
      await vegaEmbed(place, JSON.parse(source.textContent), options);
    } catch (error) {
      place.textContent = "This picture could not be drawn; its numbers stand below.";
      console.error(error);
    }
  }
  document.documentElement.dataset.drawn = "true";
})();
