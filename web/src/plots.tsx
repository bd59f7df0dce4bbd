import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { timeLabels, type Series } from "./series";
import { onThemeChange } from "./theme";

const height = 150;

/** A canvas knows no style sheet: the colours are read from it through an element that wears them. */
function worn(element: HTMLElement): { ink: string; line: string; accent: string } {
  const style = getComputedStyle(element);
  return { ink: style.color, line: style.borderTopColor, accent: style.outlineColor };
}

function optionsOf(element: HTMLElement, unit: string): uPlot.Options {
  const { ink, line, accent } = worn(element);
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: "11px system-ui" };
  return {
    width: Math.max(200, element.clientWidth),
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: [{ ...axis, size: 28, space: 80, values: (_, marks) => timeLabels(marks) }, { ...axis, size: 56, values: (_, at) => at.map((each) => `${each} ${unit}`) }],
    series: [{}, { stroke: accent, width: 1.5, points: { show: true, size: 5, fill: accent } }],
  };
}

function Plot(props: { title: string; unit: string; times: number[]; values: (number | null)[] }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = element.current;
    if (!frame) return;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(optionsOf(frame, props.unit), [props.times, props.values], frame);
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: Math.max(200, frame.clientWidth), height }));
    resized.observe(frame);
    const stop = onThemeChange(draw);
    return () => {
      stop();
      resized.disconnect();
      plot?.destroy();
    };
  }, [props.unit, props.times.join(), props.values.join()]);
  return (
    <figure>
      <figcaption>{props.title}</figcaption>
      <div ref={element} class="plot" role="img" aria-label={`${props.title}; the table of runs has the numbers`} />
    </figure>
  );
}

export function Plots(props: { series: Series }) {
  const { times, perSecond, millisecondsEach } = props.series;
  if (times.length < 2) return null;
  return (
    <div class="plots">
      <Plot title="Writes a second, by run" unit="/s" times={times} values={perSecond} />
      <Plot title="Time a write took, by run" unit="ms" times={times} values={millisecondsEach} />
    </div>
  );
}
