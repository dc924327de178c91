package web

import (
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"touchstone/internal/account"
	"touchstone/internal/dispatch"
)

// metrics are what Prometheus reads. Requests are counted by route, never by
// path, or anybody could fill the memory with names.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

func (s *Site) newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "touchstone_requests_total", Help: "Requests answered."}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "touchstone_request_seconds", Help: "Time from a request to the end of its answer.",
			Buckets: []float64{.001, .003, .01, .03, .1, .3, 1, 3, 10}}, []string{"route"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), work{s})
	return m
}

// counted notes each request. Live connections are counted, but their time is
// that of their reader.
func (m *metrics) counted(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		started := time.Now()
		err := next(c)
		route := c.Path()
		if route == "" {
			route = "none"
		}
		m.requests.WithLabelValues(route, c.Request().Method, strconv.Itoa(c.Response().Status)).Inc()
		if c.Response().Header().Get(echo.HeaderContentType) != "text/event-stream" {
			m.seconds.WithLabelValues(route).Observe(time.Since(started).Seconds())
		}
		return err
	}
}

// metrics answers this machine, its own network, and operators.
func (s *Site) metricsPage(c echo.Context) error {
	ip := net.ParseIP(c.RealIP())
	if ip == nil || !ip.IsLoopback() && !ip.IsPrivate() {
		if who, err := s.who(c); err != nil || who.Role != account.Operator {
			return echo.NewHTTPError(http.StatusForbidden, "Metrics are for this site's operators.")
		}
	}
	promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}).ServeHTTP(c.Response(), c.Request())
	return nil
}

// work is the state of the queue, looked up when it is asked for.
type work struct{ site *Site }

var (
	unitsWaiting = prometheus.NewDesc("touchstone_units_waiting", "Units of work that no worker has taken yet.", []string{"kind"}, nil)
	unitsRunning = prometheus.NewDesc("touchstone_units_running", "Units of work that a worker has taken.", []string{"kind"}, nil)
	samplesLeft  = prometheus.NewDesc("touchstone_samples_left", "Samples of open evaluations without a verdict.", nil, nil)
	pace         = prometheus.NewDesc("touchstone_samples_per_second", "Samples executed in a second, over the last minutes.", nil, nil)
)

func (w work) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{unitsWaiting, unitsRunning, samplesLeft, pace} {
		ch <- d
	}
}

func (w work) Collect(ch chan<- prometheus.Metric) {
	load, err := w.site.Engine.Load()
	if err != nil {
		w.site.Log.Warn("the queue could not be looked at", "error", err)
		return
	}
	for _, kind := range dispatch.Kinds {
		ch <- prometheus.MustNewConstMetric(unitsWaiting, prometheus.GaugeValue, float64(load.Waiting[kind]), string(kind))
		ch <- prometheus.MustNewConstMetric(unitsRunning, prometheus.GaugeValue, float64(load.Running[kind]), string(kind))
	}
	ch <- prometheus.MustNewConstMetric(samplesLeft, prometheus.GaugeValue, float64(load.SamplesLeft))
	ch <- prometheus.MustNewConstMetric(pace, prometheus.GaugeValue, load.PerSecond)
}
